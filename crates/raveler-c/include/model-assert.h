/* CDSChecker's assertions. */
#ifndef RAVELER_MODEL_ASSERT_H
#define RAVELER_MODEL_ASSERT_H

#ifdef __cplusplus
extern "C" {
#endif

void model_assert(int condition);
#define MODEL_ASSERT(condition) model_assert((condition) != 0)

#ifdef __cplusplus
}
#endif

#endif
