import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Long ones in small files, which is why they would come last, and one worker would be busy while the others are
 * through: a Debian that gets Docker from its mirrors, walks through every screen, and processes that are killed.
 */
const longest = /(set-up\/bare|screens|journeys\/killed|test\/processes|takeover|postgres\/killed)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

export default defineConfig({
  test: {
    include: [
      'contract/**/*.test.ts',
      'server/**/*.test.ts',
      'console/**/*.test.{ts,tsx}',
      'test/**/*.test.ts',
    ],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    // Loading the program anew for each file took a third of the time; no file changes what others load.
    isolate: false,
    unstubEnvs: true,
    sequence: { sequencer: LongestFirst },
    // Most of them wait for a database, a server or a browser more than they compute.
    maxWorkers: 4,
    // Real servers on a machine that others use too stall at times; a fault of ours fails every time.
    retry: process.env['CI'] ? 3 : 0,
    testTimeout: process.env['LONG'] ? 600_000 : 30_000,
    hookTimeout: 60_000,
  },
})
