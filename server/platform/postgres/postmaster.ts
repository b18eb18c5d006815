import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OsAccount, spawnProgram } from './run-program.ts'
import type { Binaries } from './binaries.ts'
import { type Connection, ensureDatabase, isStartingOrStopping } from './database.ts'
import { followPostgresLog, type PostgresEvents, type ProblemLog } from './postgres-log.ts'

export interface Cluster {
  pgdata: string
  binaries: Binaries
  account: OsAccount
  connection: Connection
}

interface UnusableEvents {
  onTrouble(text: string): void
}

export interface Postmaster {
  pid: number | undefined
  exited: Promise<string>
  ready: Promise<boolean>
  stop(): Promise<void>
}

export function launchPostmaster(
  cluster: Cluster,
  log: ProblemLog,
  events: PostgresEvents & UnusableEvents,
): Postmaster {
  const { pgdata, binaries, account, connection } = cluster
  const child = spawnProgram(binaries.postgres, postgresSettings(binaries.major), account, pgdata)
  child.stdout.resume()
  followPostgresLog(child.stderr, log, events)
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
          events.onTrouble(`The database cannot be used (${String(error)}).`)
      }
      await Promise.race([sleep(20), exited])
    }
    return false
  }

  /** Tries a fast shutdown, then an immediate one, then SIGKILL. Each leaves a usable data folder. */
  async function stop(): Promise<void> {
    for (const [signal, timeoutMs] of [
      ['SIGINT', 20_000],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 5_000],
    ] as const) {
      if (life.over) return
      child.process.kill(signal)
      await Promise.race([exited, sleep(timeoutMs, undefined, { ref: false })])
    }
  }

  return { pid: child.process.pid, exited, ready: becomeReady(), stop }
}

function describeExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (status, signal) => {
      const end = signal ? `terminated by ${signal}` : `exit code ${status}`
      // The last log lines may still be in the pipe, which child processes can keep open.
      void Promise.race([once(child, 'close'), sleep(300)]).then(() => resolve(end))
    })
  })
}

/** Enough for the pools of Slipway and the databases of the tests. Each slot costs shared memory. */
const MAX_CONNECTIONS = 100

/**
 * Settings are passed on the command line, so that a newer Slipway uses its own. They keep an idle PostgreSQL small and
 * do not reduce durability.
 */
function postgresSettings(major: number): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_directories: '.',
    unix_socket_permissions: '0700',
    cluster_name: 'slipway',
    max_connections: MAX_CONNECTIONS,
    shared_buffers: '32MB',
    wal_buffers: '1MB',
    maintenance_work_mem: '32MB',
    max_wal_size: '256MB',
    min_wal_size: '32MB',
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_replication_slots: 0,
    max_logical_replication_workers: 0,
    max_worker_processes: 2,
    max_parallel_workers: 2,
    max_parallel_workers_per_gather: 1,
    autovacuum_max_workers: 2,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...logging,
  }
  // Without this setting, PostgreSQL 18 and later start separate processes for reading.
  if (major >= 18) Object.assign(values, { io_method: 'sync', autovacuum_worker_slots: 2 })
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Statements and row values must not reach the log of Slipway. */
const logging = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '%b|',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: -1,
}
