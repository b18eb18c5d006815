import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { followPostgresLog, rateLimitLog } from './postgres-log.ts'

async function follow(...lines: string[]) {
  const warned: string[] = []
  const complained: string[] = []
  const heard: string[] = []
  const stderr = new PassThrough()
  followPostgresLog(
    stderr,
    { warn: (_, text) => warned.push(text), error: (_, text) => complained.push(text) },
    {
      onFatal: (text) => heard.push(`fatal: ${text}`),
      onNoSpace: () => heard.push('no space'),
      onReady: () => heard.push('ready'),
      onCrashed: () => heard.push('crashed'),
    },
  )
  stderr.end(lines.join('\n'))
  await turn()
  return { warned, complained, heard }
}

describe('the PostgreSQL log', () => {
  test('is logged for warnings and errors that no client receives', async () => {
    const { warned, complained } = await follow(
      'postmaster|LOG:  starting PostgreSQL 18.4',
      'checkpointer|WARNING:  slow',
      'autovacuum worker|ERROR:  cannot vacuum',
      'postmaster|FATAL:  cannot go on',
      'postmaster|LOG:  client backend (PID 7) was terminated by signal 9: Killed',
    )
    expect(warned).toEqual([
      'PostgreSQL: slow',
      'PostgreSQL: client backend (PID 7) was terminated by signal 9: Killed',
    ])
    expect(complained).toEqual(['PostgreSQL: cannot vacuum', 'PostgreSQL: cannot go on'])
  })

  test('is not logged when it may quote data', async () => {
    const { warned, complained } = await follow(
      'client backend|ERROR:  invalid input syntax for type uuid: "secret"',
      'client backend|PANIC:  could not write',
      'client backend|STATEMENT:  insert into users',
      '\tvalues (secret)',
      'client backend|DETAIL:  Key (email)=(secret) already exists.',
    )
    expect(String([...warned, ...complained])).not.toContain('secret')
    expect(complained).toEqual(['PostgreSQL: could not write'])
  })

  test('reports state changes', async () => {
    const { heard } = await follow(
      'client backend|PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device',
      'postmaster|LOG:  all server processes terminated; reinitializing',
      'postmaster|LOG:  database system is ready to accept connections',
    )
    expect(heard).toEqual([
      'no space',
      'fatal: could not write to file "pg_wal/xlogtemp.1": No space left on device',
      'crashed',
      'ready',
    ])
  })

  test('is rate-limited', () => {
    vi.useFakeTimers()
    const said: string[] = []
    const note = (_: object, text: string) => void said.push(text)
    const few = rateLimitLog({ debug: note, info: note, warn: note, error: note }, 2, 1000)
    for (let line = 0; line < 10; line += 1) few.error({}, 'again')
    vi.advanceTimersByTime(1001)
    few.error({}, 'new')
    expect(said).toEqual(['again', 'again', 'Dropped 8 log lines of PostgreSQL', 'new'])
    vi.useRealTimers()
  })
})
