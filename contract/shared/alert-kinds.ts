/** Conditions without a threshold have no `unit`. */
export interface AlertKind {
  label: string
  description: string
  subject: 'server' | 'container' | 'application' | 'certificate'
  unit?: 'percent' | 'load' | 'times' | 'days'
  comparison?: 'above' | 'below'
  threshold?: number
  forSeconds: number
  /** Seconds of recovery before an incident resolves. */
  clearSeconds: number
  windowSeconds?: number
  severity: Severity
}

export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]

export const alertKinds = {
  server_unreachable: {
    label: 'Server unreachable',
    description: 'Slipway cannot reach a server over SSH.',
    subject: 'server',
    forSeconds: 60,
    clearSeconds: 60,
    severity: 'critical',
  },
  cpu: {
    label: 'CPU',
    description: 'CPU usage of a server across all cores.',
    subject: 'server',
    unit: 'percent',
    comparison: 'above',
    threshold: 90,
    forSeconds: 600,
    clearSeconds: 60,
    severity: 'warning',
  },
  memory: {
    label: 'Memory',
    description: 'Memory usage of a server.',
    subject: 'server',
    unit: 'percent',
    comparison: 'above',
    threshold: 90,
    forSeconds: 300,
    clearSeconds: 60,
    severity: 'warning',
  },
  disk: {
    label: 'Disk',
    description: 'Disk usage of a server.',
    subject: 'server',
    unit: 'percent',
    comparison: 'above',
    threshold: 85,
    forSeconds: 60,
    clearSeconds: 60,
    severity: 'warning',
  },
  load: {
    label: 'Load',
    description: '5-minute load average per core. Above 1, processes wait for CPU time.',
    subject: 'server',
    unit: 'load',
    comparison: 'above',
    threshold: 2,
    forSeconds: 300,
    clearSeconds: 60,
    severity: 'warning',
  },
  container_cpu: {
    label: 'Container CPU',
    description: 'CPU usage of a container. 100 % is one core.',
    subject: 'container',
    unit: 'percent',
    comparison: 'above',
    threshold: 90,
    forSeconds: 600,
    clearSeconds: 60,
    severity: 'warning',
  },
  container_memory: {
    label: 'Container memory',
    description:
      'Memory usage of a container relative to its limit, or to the memory of its server if it has none.',
    subject: 'container',
    unit: 'percent',
    comparison: 'above',
    threshold: 90,
    forSeconds: 300,
    clearSeconds: 60,
    severity: 'warning',
  },
  container_stopped: {
    label: 'Container stopped',
    description: 'A container exited without being stopped in Slipway.',
    subject: 'container',
    forSeconds: 0,
    clearSeconds: 60,
    severity: 'critical',
  },
  container_unhealthy: {
    label: 'Container unhealthy',
    description: 'The health check of a container is failing.',
    subject: 'container',
    forSeconds: 0,
    clearSeconds: 60,
    severity: 'warning',
  },
  container_restarting: {
    label: 'Container restarting',
    description: 'Docker keeps restarting a container because it exits.',
    subject: 'container',
    unit: 'times',
    comparison: 'above',
    threshold: 2,
    forSeconds: 0,
    clearSeconds: 0,
    windowSeconds: 600,
    severity: 'warning',
  },
  container_oom: {
    label: 'Out of memory',
    description: 'A process of a container was killed because it ran out of memory.',
    subject: 'container',
    unit: 'times',
    comparison: 'above',
    threshold: 0,
    forSeconds: 0,
    clearSeconds: 0,
    windowSeconds: 600,
    severity: 'warning',
  },
  deployment_failed: {
    label: 'Deployment failed',
    description: 'The latest deployment of an application failed.',
    subject: 'application',
    forSeconds: 0,
    clearSeconds: 0,
    severity: 'warning',
  },
  http_check: {
    label: 'HTTP check failing',
    description: 'Slipway requests a URL of an application and checks status, response time and content.',
    subject: 'application',
    forSeconds: 60,
    clearSeconds: 60,
    severity: 'critical',
  },
  certificate_expiry: {
    label: 'Certificate expiring',
    description:
      'Days until the certificate of a domain expires. Certificates valid for less than 42 days must also have less than a quarter of their lifetime left.',
    subject: 'certificate',
    unit: 'days',
    comparison: 'below',
    threshold: 14,
    forSeconds: 0,
    clearSeconds: 0,
    severity: 'warning',
  },
} as const satisfies Record<string, AlertKind>

export type AlertKindName = keyof typeof alertKinds
export const alertKindNames = Object.keys(alertKinds) as [AlertKindName, ...AlertKindName[]]

export const alertScopes = ['all', 'server', 'project', 'application', 'container'] as const
export type AlertScope = (typeof alertScopes)[number]

export const scopesForKind = (kind: AlertKindName): readonly AlertScope[] => {
  const { subject } = alertKinds[kind]
  if (subject === 'server') return ['all', 'server', 'project']
  return subject === 'container' ? alertScopes : ['all', 'server', 'project', 'application']
}

const COOLDOWN = 900

type Comparison = 'above' | 'below'

interface DefaultAlert {
  severity: Severity
  comparison: Comparison | null
  threshold: number | null
  clear_threshold: number | null
  for_seconds: number
  clear_seconds: number
  window_seconds: number | null
  cooldown_seconds: number
  repeat_seconds: null
}

export function defaultAlert(
  kind: AlertKindName,
  overrides: { comparison?: Comparison | null | undefined; threshold?: number | null | undefined } = {},
): DefaultAlert {
  const defaults: AlertKind = alertKinds[kind]
  const comparison = overrides.comparison ?? defaults.comparison ?? null
  const threshold = overrides.threshold ?? defaults.threshold ?? null
  return {
    severity: defaults.severity,
    comparison,
    threshold,
    clear_threshold: threshold === null ? null : defaultClearThreshold(defaults, comparison, threshold),
    for_seconds: defaults.forSeconds,
    clear_seconds: defaults.clearSeconds,
    window_seconds: defaults.windowSeconds ?? null,
    // Each failed deployment is a separate incident.
    cooldown_seconds: kind === 'deployment_failed' ? 0 : COOLDOWN,
    repeat_seconds: null,
  }
}

/** A distance to the trigger threshold prevents flapping. Conditions in days and counts have none. */
function defaultClearThreshold(
  { unit }: AlertKind,
  comparison: Comparison | null,
  threshold: number,
): number | null {
  if (unit !== 'percent' && unit !== 'load') return null
  const away = Math.min(threshold / 10, unit === 'percent' ? 5 : Infinity)
  const beyond = comparison === 'below' ? threshold + away : threshold - away
  return Math.round(beyond * 100) / 100
}
