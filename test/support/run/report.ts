import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

interface Timed {
  name: string
  ms: number
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(7)} s`

export function layerOf(file: string): 'unit' | 'console' | 'system' | 'browser' {
  if (file.includes('/test/browser/')) return 'browser'
  if (file.includes('/test/console/')) return 'console'
  return /\.(system|long)\.test\.ts$/.test(file) ? 'system' : 'unit'
}

/** Prints failures compactly, and the time by layer at the end. */
export class Report implements Reporter {
  readonly tests: Timed[] = []
  readonly layers = new Map<string, { ms: number; files: number; tests: number }>()
  readonly failed: TestCase[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.result().state === 'failed') this.failed.push(test)
    const ms = test.diagnostic()?.duration ?? 0
    this.tests.push({ name: `${test.module.relativeModuleId} > ${test.fullName}`, ms })
  }

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, duration } = module.diagnostic()
    const name = layerOf(module.moduleId)
    const layer = this.layers.get(name) ?? { ms: 0, files: 0, tests: 0 }
    const tests = [...module.children.allTests()].length
    this.layers.set(name, {
      ms: layer.ms + collectDuration + duration,
      files: layer.files + 1,
      tests: layer.tests + tests,
    })
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const test of this.failed) print(describeFailure(test))
    const slowest = this.tests.toSorted((a, b) => b.ms - a.ms).slice(0, 30)
    const layers = [...this.layers].map(
      ([name, { ms, files, tests }]) =>
        `${seconds(ms)}  ${name}: ${tests} tests in ${files} files, all workers together`,
    )
    if (modules.length > 1)
      print([
        'Slowest tests',
        ...slowest.map(({ name, ms }) => `${seconds(ms)}  ${name}`),
        '',
        'Time by layer',
        ...layers,
      ])
  }
}

function describeFailure(test: TestCase): string[] {
  const { log = [], screenshot } = test.meta()
  const path = test.module.relativeModuleId
  const errors = (test.result().errors ?? []).slice(0, 2)
  return [
    `FAILED ${path} > ${test.fullName}`,
    ...errors.flatMap(({ message, diff }) => [
      ...withoutMiddle(linesOf(message)),
      ...(diff ? linesOf(diff).slice(0, 20) : []),
    ]),
    ...(log.length > 0 ? ['Slipway logged:', ...log.map((line) => `  ${line}`)] : []),
    ...(screenshot ? [`Screenshot: ${screenshot}`] : []),
    `Run it alone: ${process.env['LONG'] ? 'npm run test:long' : 'npm test'} -- ${path} -t ${JSON.stringify(test.name)}`,
  ]
}

const linesOf = (text: string) =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.slice(0, 300))

/** The end of the output explains the failure. */
const withoutMiddle = (lines: string[]) =>
  lines.length <= 20 ? lines : [...lines.slice(0, 6), '…', ...lines.slice(-14)]

const print = (lines: string[]) => process.stdout.write(`\n${lines.join('\n')}\n`)
