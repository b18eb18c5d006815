/** A dozen pooled connections and the tests' databases; each slot costs shared memory. */
const MAX_CONNECTIONS = 100

/**
 * Settings go on the command line, so that a newer Slipway uses its own and the data directory stays as initdb wrote it.
 * Small when idle; durability is not reduced.
 */
export function postgresSettings(major: number): string[] {
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
  // From 18 on: no separate processes for reading.
  if (major >= 18) Object.assign(values, { io_method: 'sync', autovacuum_worker_slots: 2 })
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Statements and row values must not reach our log. */
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
