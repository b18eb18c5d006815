// @ts-check
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, Script } from 'node:vm'

/**
 * Runs dist/one/main.cjs with the cache of its compiled code, which Node ignores if another version of Node wrote it.
 */
const folder = fileURLToPath(new URL('../dist/one', import.meta.url))
const file = join(folder, 'main.cjs')
const compiled = join(folder, 'main.cache')
const isWriting = process.argv.includes('--write')

const script = new Script(`(function (exports, require, __filename) {${readFileSync(file, 'utf8')}\n})`, {
  filename: file,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  ...(!isWriting && { cachedData: readFileSync(compiled) }),
})
// The cache is written at exit, so that it includes the functions that were called.
if (isWriting) process.on('exit', () => writeFileSync(compiled, script.createCachedData()))
script.runInThisContext()({}, createRequire(file), file)
