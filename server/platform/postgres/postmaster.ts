import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OsAccount } from './account.ts'
import type { Binaries } from './binaries.ts'
import { type Connection, isStartingOrStopping, ensureDatabase } from './database.ts'
import { type ProblemLog, followPostgresLog, type PostgresEvents } from './postgres-log.ts'
import { spawnProgram } from './run-program.ts'
import { postgresSettings } from './settings.ts'

export interface Cluster {
  pgdata: string
  binaries: Binaries
  account: OsAccount
  connection: Connection
}

interface UnusableEvents {
  /** PostgreSQL runs, but the database cannot be used. */
  onTrouble(text: string): void
}

export interface Postmaster {
  pid: number | undefined
  /** Describes the exit. */
  exited: Promise<string>
  /** True when it accepts connections, false when it exited before. */
  ready: Promise<boolean>
  stop(): Promise<void>
}

export function launchPostmaster(
  cluster: Cluster,
  log: ProblemLog,
  heard: PostgresEvents & UnusableEvents,
): Postmaster {
  const { pgdata, binaries, account, connection } = cluster
  const child = spawnProgram(binaries.postgres, postgresSettings(binaries.major), account, pgdata)
  child.stdout.resume()
  followPostgresLog(child.stderr, log, heard)
  const life = { over: false }
  const exited = describeExit(child.process).finally(() => (life.over = true))
  const notLeftBehind = () => child.process.kill('SIGINT')
  process.once('exit', notLeftBehind)
  void exited.then(() => process.off('exit', notLeftBehind))

  async function becomeReady(): Promise<boolean> {
    while (!life.over) {
      try {
        await ensureDatabase(connection)
        return true
      } catch (error) {
        if (!isStartingOrStopping(error) && !life.over)
          heard.onTrouble(`The database cannot be used (${String(error)}).`)
      }
      await Promise.race([sleep(20), exited])
    }
    return false
  }

  /** Tries a fast, then an immediate shutdown, then SIGKILL; each leaves a usable data directory. */
  async function stop(): Promise<void> {
    for (const [signal, patience] of [
      ['SIGINT', 20_000],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 5_000],
    ] as const) {
      if (life.over) return
      child.process.kill(signal)
      await Promise.race([exited, sleep(patience, undefined, { ref: false })])
    }
  }

  return { pid: child.process.pid, exited, ready: becomeReady(), stop }
}

function describeExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (status, signal) => {
      const end = signal ? `ended by ${signal}` : `exit status ${status}`
      // The last log lines may still be in the pipe, which child processes can keep open.
      void Promise.race([once(child, 'close'), sleep(300)]).then(() => resolve(end))
    })
  })
}
