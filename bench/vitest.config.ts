import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['bench/*.bench.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    globalSetup: ['bench/results.ts', 'test/support/run/global-setup.ts'],
  },
})
