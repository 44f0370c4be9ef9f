import { openMetrics } from '../../src/adapters/memory/open-metrics.ts'
import { fixedRules } from '../../src/reload/fixed-rules.ts'

/** What an app answers from beside its service, for tests that are about neither rules nor metrics. */
export function noRules() {
  return { rules: fixedRules([], { nowMs: () => 0 }), metrics: openMetrics() }
}
