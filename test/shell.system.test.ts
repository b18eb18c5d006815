import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readScript } from '../server/areas/servers/set-up/run-script.ts'
import { root } from '../server/root.ts'

const check = (input: string, ...options: string[]) =>
  spawnSync('shellcheck', ['--severity=warning', '--format=gcc', ...options], {
    input,
    encoding: 'utf8',
    cwd: root,
  }).stdout

test('shellcheck finds nothing wrong with the set-up script', async () => {
  expect(check(await readScript(), '--shell=sh', '-')).toBe('')
})

test('shellcheck finds nothing wrong with the import script', async () => {
  const script = await readFile(join(root, 'server/areas/imports/import.sh'), 'utf8')
  // What it is given stands in lines before it.
  expect(check(script, '--shell=sh', '--exclude=SC2154', '-')).toBe('')
})

test('shellcheck finds nothing wrong with the scripts of the tests', async () => {
  const rig = (await readdir(join(root, 'test/support/rig'), { recursive: true })).filter((name) =>
    name.endsWith('.sh'),
  )
  expect(rig.length).toBeGreaterThan(5)
  expect(check('', '.ci/run', ...rig.map((name) => join('test/support/rig', name)))).toBe('')
})
