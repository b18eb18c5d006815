import { expect, test } from 'vitest'
import { fetchFailureMessage, repositoryBuildFailureMessage } from './build-failure.ts'
import { exitCodes } from './source-work.ts'

const build = { repository: 'octocat/hello', folder: '', dockerfile: '' }
const limits = { memory: 1.5 * 1024 ** 3, cpus: 1, processes: 4096, minutes: 30 }
const built = (code: number, ...lines: string[]) =>
  repositoryBuildFailureMessage(
    { reason: 'ended', code, truncated: false },
    { server: 'web-1', build, limits, lines },
  )
const fetched = (...lines: string[]) =>
  fetchFailureMessage(
    { reason: 'ended', code: exitCodes.notFetched, truncated: false },
    {
      server: 'web-1',
      repository: 'octocat/hello',
      sha: '403dead',
      lines,
      minutes: 30,
      memory: limits.memory,
    },
  )

test('reports out of memory from cgroup counters and from the output', () => {
  const out = /^The build of octocat\/hello ran out of memory \(limit 1\.5 GiB\)\./
  expect(built(exitCodes.outOfMemory, '#7 12.1 make failed')).toMatch(out)
  for (const line of [
    '#7 12.1 c++: fatal error: Killed signal terminated program cc1plus',
    '#7 12.1 npm ERR! signal SIGKILL',
    '#7 12.1 (signal: 9, SIGKILL: kill)',
    '#7 12.1 Killed',
    'ERROR: process "/bin/sh -c make" did not complete successfully: exit code: 137',
  ])
    expect(built(exitCodes.metLimit, line)).toMatch(out)
  for (const line of [
    'ERROR: failed to solve: exit code: 2',
    'failed to solve with frontend dockerfile.v0: failed to create LLB definition: exit code: 2',
    'failed to solve: rpc error: code = Unknown desc = exit code: 2',
  ])
    expect(built(exitCodes.metLimit, line)).toMatch(/ failed on web-1: exit code: 2\./)
  expect(built(1, 'executor failed running [/bin/sh -c make]: exit code: 2')).toMatch(
    /: executor failed running \[/,
  )
})

test('explains that builds use no registry credentials', () => {
  expect(
    built(
      1,
      'ERROR: failed to solve: ghcr.io/acme/base: failed to authorize: failed to fetch anonymous token: 401 Unauthorized',
    ),
  ).toMatch(/401 Unauthorized\. Builds do not use registry credentials/)
})

test('distinguishes a lock timeout from a build timeout', () => {
  expect(built(exitCodes.noTurn)).toMatch(/timed out waiting for other builds/)
  expect(built(exitCodes.noLimits)).toMatch(/^Slipway could not set resource limits for builds on web-1/)
})

test('recognizes refused access only in real git errors', () => {
  const refused = /^Slipway has no access to octocat\/hello on GitHub/
  expect(fetched('fatal: unable to access https://x: The requested URL returned error: 403')).toMatch(refused)
  expect(fetched('remote: Repository not found.')).toMatch(refused)
  expect(fetched('fatal: unable to access https://x/403: Could not resolve host')).not.toMatch(refused)
  expect(fetched('error: index-pack died of signal 9')).toMatch(/out of memory \(limit 1\.5 GiB\)/)
})
