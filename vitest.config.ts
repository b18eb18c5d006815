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
    // Most of them wait for a database or a browser more than they compute.
    maxWorkers: 3,
    testTimeout: process.env['LONG'] ? 600_000 : 20_000,
    hookTimeout: 30_000,
  },
})
