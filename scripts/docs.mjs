// @ts-check
// Writes docs/configuration.md from the settings in the code. With --check, only compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { format } from 'oxfmt'
import { configVariables } from '../dist/server/config-variables.js'

const path = 'docs/configuration.md'
const settings = Object.entries(configVariables)
const topics = [...new Set(settings.map(([, { topic }]) => topic))]
const sections = topics.map((topic) => {
  const entries = settings
    .filter(([, setting]) => setting.topic === topic)
    .map(([name, { defaultText, description }]) => {
      const shown = /^\(.*\)$/.test(defaultText) ? defaultText.slice(1, -1) : `\`${defaultText}\``
      return `- \`${name}\`${defaultText === '' ? '' : ` (default: ${shown})`}: ${description}`
    })
  return `## ${topic}\n\n${entries.join('\n')}`
})
const text = `# Configuration

Slipway reads its configuration from environment variables. \`npm run docs\` writes this page from \`server/config-variables.ts\`.

${sections.join('\n\n')}
`
const { code: expected } = await format(path, text)

if (!process.argv.includes('--check')) writeFileSync(path, expected)
else if (readFileSync(path, 'utf8') !== expected) {
  console.error(`${path} does not match server/config-variables.ts. Run: npm run docs`)
  process.exitCode = 1
}
