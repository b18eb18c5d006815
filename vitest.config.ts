import { defineConfig } from 'vitest/config'

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
    // Most of them wait for a database, a server or a browser more than they compute.
    maxWorkers: 3,
    // Real servers on a machine that others use too stall at times; a fault of ours fails three times in a row.
    retry: process.env['CI'] ? 2 : 0,
    testTimeout: process.env['LONG'] ? 600_000 : 30_000,
    hookTimeout: 60_000,
  },
})
