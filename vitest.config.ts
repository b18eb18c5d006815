import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { layerOf, Report } from './test/support/run/report.ts'

/** Set by `npm run test:long`. */
const long = Boolean(process.env['LONG'])
/** Set by `npm test` without paths: the layers share their workers, so that the program is loaded once for all of them. */
const together = Boolean(process.env['ALL_LAYERS'])
const leftOut = long ? [] : ['**/*.long.test.ts']

/** React as it is shipped: what it does for developers takes half of the time of the console's tests. */
const env = { NODE_ENV: 'production' }

/**
 * The layers, by the names of their files. `system`: needs root on Linux, with Docker, sshd and the other programs of
 * scripts/system.mjs, or starts Slipway as a process. `browser`: needs Chromium as well. `unit`: all others; they need
 * nothing but Node, as does `console`. That one has workers of its own: packages such as Radix look for a document only
 * when they are loaded, and files share what is loaded.
 */
const layers = [
  {
    name: 'unit',
    include: ['{contract,server,console,test}/**/*.test.{ts,tsx}'],
    exclude: ['**/*.{system,long}.test.ts', 'test/{browser,console}/**'],
    env,
  },
  {
    name: 'console',
    include: ['test/console/**/*.test.{ts,tsx}'],
    setupFiles: ['test/support/console/show-document.ts'],
    env,
  },
  {
    name: 'system',
    include: ['{server,test}/**/*.{system,long}.test.ts'],
    exclude: ['test/browser/**', ...leftOut],
  },
  { name: 'browser', include: ['test/browser/**/*.test.ts'], exclude: leftOut },
]
const projects = together
  ? [
      ...layers.filter(({ name }) => name === 'console'),
      {
        name: 'all',
        include: ['{contract,server,console,test}/**/*.test.{ts,tsx}'],
        exclude: ['test/console/**', ...leftOut],
      },
    ]
  : layers

/** Small files that take long: they begin first in their layer, so that no worker is left with one of them at the end. */
const longest =
  /(first-application|screens|journeys\/killed|test\/processes|browser\/(application|compose)|deployments\/(compose|isolation))\S*\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const order = ['unit', 'system', 'browser', 'console']
    const rank = ({ moduleId }: TestSpecification) =>
      2 * order.indexOf(layerOf(moduleId)) + (longest.test(moduleId) ? 1 : 0)
    // Layer by layer: a worker that changes to another project is restarted. Small files are last, so that all end together.
    return sorted.toSorted((a, b) => rank(b) - rank(a))
  }
}

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    projects: projects.map((layer) => ({
      extends: true,
      test: { ...layer, globalSetup: ['test/support/run/global-setup.ts'] },
    })),
    setupFiles: ['test/support/run/each-file.ts'],
    reporters: ['default', new Report()],
    pool: 'forks',
    // Copying young objects took a tenth of the CPU time.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
    // Reloading the program for each file took a third of the time; no file changes what others load.
    isolate: false,
    unstubEnvs: true,
    sequence: { sequencer: LongestFirst },
    // Most tests wait for a database, a server or a browser more than they compute.
    maxWorkers: 5,
    retry: 0,
    // For a much slower machine, or one with other work; only a failure takes that long.
    testTimeout: long ? 600_000 : 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
