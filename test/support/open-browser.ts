import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Why tests in a browser are skipped; on CI a missing browser is a failure instead. */
export const noBrowser: string | false =
  existsSync(executablePath) || process.env.CI === 'true' ? false : `there is no ${executablePath}`

/** A real Chromium; sandboxed unless it runs as root, where Chromium has no sandbox. */
export function openBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}
