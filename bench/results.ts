import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { format } from 'oxfmt'
import { expect } from 'vitest'

const folder = join(import.meta.dirname, '../.cache/bench')
const file = join(import.meta.dirname, 'RESULTS.md')

export interface Figure {
  what: string
  bar: string
  measured: string
  met: boolean
}

/** Records and prints a value, and fails when it misses its limit. */
export function report(figure: Figure): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${figure.what.replace(/\W+/g, '-')}.json`), JSON.stringify(figure))
  process.stdout.write(`${figure.met ? '✓' : '✗'} ${figure.what}: ${figure.measured} (bar: ${figure.bar})\n`)
  expect(figure.met, `${figure.what}: ${figure.measured}, bar ${figure.bar}`).toBe(true)
}

export const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Vitest calls this before and after the run. */
export function setup() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return writeTable
}

async function writeTable() {
  const figures = readdirSync(folder).map((name): Figure =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  )
  if (figures.length === 0) return
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} cores (${process.arch}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const rows = figures.map(
    ({ what, bar, measured, met }) => `| ${what} | ${bar} | ${measured} | ${met ? 'yes' : '**no**'} |`,
  )
  const table = ['| what | bar | measured | met |', '| --- | --- | --- | --- |', ...rows]
  const text = `# Figures\n\nMade by \`npm run bench\` on ${date}: ${machine}.\n\n${table.join('\n')}\n`
  writeFileSync(file, (await format(file, text)).code)
}
