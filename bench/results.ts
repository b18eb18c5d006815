import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
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

const head = ['| what | bar | measured | met | date (load) |', '| --- | --- | --- | --- | --- |']

/** Replaces the rows that were measured and keeps the others, so that a part of the benchmarks can run alone. */
async function writeTable() {
  const figures = readdirSync(folder).map((name): Figure =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  )
  if (figures.length === 0) return
  const machine = `${cpus().length} cores (${process.arch}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const today = `${new Date().toISOString().slice(0, 10)} (${(loadavg()[0] ?? 0).toFixed(0)})`
  const { rows, notes } = readTable()
  for (const { what, bar, measured, met } of figures)
    rows.set(what, `| ${what} | ${bar} | ${measured} | ${met ? 'yes' : '**no**'} | ${today} |`)
  const intro = `Written by \`npm run bench\`, which replaces the rows that it measured. The last run was on ${machine}. The load is that of the last minute of the run.`
  const text = `# Figures\n\n${intro}\n\n${[...head, ...rows.values()].join('\n')}\n${notes}`
  writeFileSync(file, (await format(file, text)).code)
}

/** Rows by their first column, and the text below the table. */
function readTable() {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const table = lines.filter((line) => line.startsWith('|'))
  const rows = new Map(table.slice(head.length).map((row) => [row.split('|')[1]?.trim() ?? '', row]))
  const end = lines.findLastIndex((line) => line.startsWith('|'))
  return { rows, notes: lines.slice(end + 1).join('\n') }
}
