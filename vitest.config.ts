import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { Report } from './test/support/run/report.ts'

/**
 * The layers, by the names of their files. `system`: needs root on Linux, with Docker, sshd and the other programs of
 * scripts/system.mjs, or starts Slipway as a process. `browser`: needs Chromium as well. `unit`: all others; they need
 * nothing but Node.
 */
const systemTests = '{server,test}/**/*.system.test.ts'
const browserTests = 'test/browser/**/*.test.ts'
const layers = [
  {
    name: 'unit',
    include: ['{contract,server,console,test}/**/*.test.{ts,tsx}'],
    exclude: [systemTests, browserTests],
    // React as it is shipped: what it does for developers takes half of the time of the console's tests.
    env: { NODE_ENV: 'production' },
    maxWorkers: 3,
    sequence: { groupOrder: 3 },
  },
  ...(process.env['LAYERS'] === 'all'
    ? // In one project, because a worker is kept only for files of its project: browser tests compute, system tests wait.
      [{ name: 'system', include: [systemTests, browserTests], maxWorkers: 4 }]
    : [
        { name: 'system', include: [systemTests], maxWorkers: 4 },
        { name: 'browser', include: [browserTests], maxWorkers: 3 },
      ]
  ).map((layer, index) => ({ ...layer, sequence: { groupOrder: index + 1 } })),
]

/** Small files that take long: they begin first, so that no worker is left with one of them at the end. */
const longest = /(set-up\/bare|screens|journeys\/|test\/processes|takeover|postgres\/killed)\S*\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    const [first, others] = [sorted.filter(isLongest), sorted.filter((file) => !isLongest(file))]
    return [...alternate(first), ...alternate(others)]
  }
}

/** Spreads the browser tests evenly over the others. */
function alternate(files: TestSpecification[]): TestSpecification[] {
  const layerOf = ({ moduleId, project }: TestSpecification) =>
    moduleId.includes('/test/browser/') ? 'browser' : project.name
  const position = new Map<TestSpecification, number>()
  for (const name of ['browser', 'system', 'unit']) {
    const layer = files.filter((file) => layerOf(file) === name)
    for (const [index, file] of layer.entries()) position.set(file, (index + 0.5) / layer.length)
  }
  return files.toSorted((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0))
}

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    projects: layers.map((layer) => ({
      extends: true,
      test: { ...layer, globalSetup: ['test/support/run/global-setup.ts'] },
    })),
    setupFiles: ['test/support/run/each-file.ts'],
    reporters: ['default', new Report()],
    pool: 'forks',
    // Loading the program anew for each file took a third of the time; no file changes what others load.
    isolate: false,
    unstubEnvs: true,
    sequence: { sequencer: LongestFirst },
    retry: 0,
    testTimeout: process.env['LONG'] ? 600_000 : 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
