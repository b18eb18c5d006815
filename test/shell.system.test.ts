import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readScript, scriptFolder } from '../server/platform/read-script.ts'
import { root } from '../server/root.ts'

const check = (input: string, ...options: string[]) =>
  spawnSync('shellcheck', ['--severity=warning', '--format=gcc', ...options], {
    input,
    encoding: 'utf8',
    cwd: root,
  }).stdout

const scriptsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sh'))

/** Scripts that are included in others are checked as part of them. */
const included = new Set(
  scriptsIn(scriptFolder).flatMap((name) =>
    [...readFileSync(join(scriptFolder, name), 'utf8').matchAll(/^# include (\S+)$/gm)].map(
      ([, part]) => part,
    ),
  ),
)

test.each(scriptsIn(scriptFolder).filter((name) => !included.has(name)))(
  'shellcheck accepts %s, which runs on servers',
  (name) => {
    expect(check(readScript(name), '--shell=sh', '-')).toBe('')
  },
)

test('shellcheck accepts the scripts of the tests', () => {
  const rig = scriptsIn(join(root, 'test/support/rig'))
  expect(rig.length).toBeGreaterThan(5)
  expect(check('', '.ci/run', ...rig.map((name) => join('test/support/rig', name)))).toBe('')
})
