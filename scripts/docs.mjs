// @ts-check
// Writes the parts of documents that are made from code; with --check it only says whether they are true.
import { readFileSync, writeFileSync } from 'node:fs'
import { format } from 'oxfmt'
import { variables } from '../dist/server/config-variables.js'

const rows = Object.entries(variables).map(
  ([name, { shown, says }]) => `| \`${name}\` | ${shown ? `\`${shown}\`` : ''} | ${says} |`,
)
const table = ['| variable | default | what it is for |', '| --- | --- | --- |', ...rows].join('\n')
const [open, close] = ['<!-- configuration -->', '<!-- /configuration -->']

const before = readFileSync('README.md', 'utf8')
const head = before.slice(0, before.indexOf(open) + open.length)
const tail = before.slice(before.indexOf(close))
const text = `${head}\n\n${table}\n\n${tail}`
const { code: after } = await format('README.md', text)

if (process.argv.includes('--check')) {
  if (after !== before) {
    console.error('The configuration table in README.md is not what server/config.ts says. Run: npm run docs')
    process.exitCode = 1
  }
} else writeFileSync('README.md', after)
