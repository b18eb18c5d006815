/**
 * What an alert can look at. `of`: what each incident is about. `unit`: what its threshold counts; none where there is only
 * good and bad. `scopes`: what it can be narrowed to.
 */
export interface AlertKind {
  label: string
  says: string
  of: 'server' | 'container' | 'application' | 'certificate'
  unit?: 'percent' | 'load' | 'times' | 'days'
  comparison?: 'above' | 'below'
  /** What is usual, for a form to begin with. */
  threshold?: number
  forSeconds: number
  /** How long it is well before it is over. */
  clearSeconds: number
  /** How far back it counts, for what is counted. */
  windowSeconds?: number
  severity: Severity
}

export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]

export const alertKinds = {
  server_unreachable: {
    label: 'Server unreachable',
    says: 'Slipway no longer reaches a server over SSH.',
    of: 'server',
    forSeconds: 60,
    clearSeconds: 60,
    severity: 'critical',
  },
  cpu: {
    label: 'CPU',
    says: 'How busy all cores of a server are.',
    of: 'server',
    unit: 'percent',
    comparison: 'above',
    threshold: 90,
    forSeconds: 600,
    clearSeconds: 60,
    severity: 'warning',
  },
  memory: {
    label: 'Memory',
    says: 'How much of the memory of a server is taken.',
    of: 'server',
    unit: 'percent',
    comparison: 'above',
    threshold: 90,
    forSeconds: 300,
    clearSeconds: 60,
    severity: 'warning',
  },
  disk: {
    label: 'Disk',
    says: 'How much of the disk of a server is taken.',
    of: 'server',
    unit: 'percent',
    comparison: 'above',
    threshold: 85,
    forSeconds: 60,
    clearSeconds: 60,
    severity: 'warning',
  },
  load: {
    label: 'Load',
    says: 'The load average of five minutes for each core of a server: above 1, work waits.',
    of: 'server',
    unit: 'load',
    comparison: 'above',
    threshold: 2,
    forSeconds: 300,
    clearSeconds: 60,
    severity: 'warning',
  },
  container_cpu: {
    label: 'CPU of a container',
    says: 'How much a container computes; 100 % is one whole core.',
    of: 'container',
    unit: 'percent',
    comparison: 'above',
    threshold: 90,
    forSeconds: 600,
    clearSeconds: 60,
    severity: 'warning',
  },
  container_memory: {
    label: 'Memory of a container',
    says: 'How much of its memory limit a container takes, or of the memory of its server where it has none.',
    of: 'container',
    unit: 'percent',
    comparison: 'above',
    threshold: 90,
    forSeconds: 300,
    clearSeconds: 60,
    severity: 'warning',
  },
  container_stopped: {
    label: 'Container stopped',
    says: 'A container has ended, though nobody asked for it here.',
    of: 'container',
    forSeconds: 0,
    clearSeconds: 60,
    severity: 'critical',
  },
  container_unhealthy: {
    label: 'Container unhealthy',
    says: 'The health check of a container fails.',
    of: 'container',
    forSeconds: 0,
    clearSeconds: 60,
    severity: 'warning',
  },
  container_restarting: {
    label: 'Container restarting',
    says: 'Docker starts a container again and again, because it ends each time.',
    of: 'container',
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
    says: 'The kernel has ended a process of a container for want of memory.',
    of: 'container',
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
    says: 'The latest deployment of an application has failed.',
    of: 'application',
    forSeconds: 0,
    clearSeconds: 0,
    severity: 'warning',
  },
  http_check: {
    label: 'Address not answering',
    says: 'Slipway calls the address of an application and looks at the answer, how long it takes and what it holds.',
    of: 'application',
    forSeconds: 60,
    clearSeconds: 60,
    severity: 'critical',
  },
  certificate_expiry: {
    label: 'Certificate near its end',
    says: 'How many days the certificate of an address is still good for.',
    of: 'certificate',
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

/** What an alert of a kind can be narrowed to. */
export const scopesOf = (kind: AlertKindName): readonly AlertScope[] => {
  const { of } = alertKinds[kind]
  if (of === 'server') return ['all', 'server', 'project']
  return of === 'container' ? alertScopes : ['all', 'server', 'project', 'application']
}

/** A quarter of an hour: what begins again sooner is not told again. */
const COOLDOWN = 900

type Comparison = 'above' | 'below'

interface UsualAlert {
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

/** What is taken for whatever is not given, for a form to begin with. */
export function usualOf(
  kind: AlertKindName,
  given: { comparison?: Comparison | null | undefined; threshold?: number | null | undefined } = {},
): UsualAlert {
  const usual: AlertKind = alertKinds[kind]
  const comparison = given.comparison ?? usual.comparison ?? null
  const threshold = given.threshold ?? usual.threshold ?? null
  return {
    severity: usual.severity,
    comparison,
    threshold,
    clear_threshold: threshold === null ? null : clearOf(usual, comparison, threshold),
    for_seconds: usual.forSeconds,
    clear_seconds: usual.clearSeconds,
    window_seconds: usual.windowSeconds ?? null,
    // Each failed deployment is a thing of its own.
    cooldown_seconds: kind === 'deployment_failed' ? 0 : COOLDOWN,
    repeat_seconds: null,
  }
}

/** A little beyond the threshold, so that a value around it does not flap. What is counted by days or times does not. */
function clearOf({ unit }: AlertKind, comparison: Comparison | null, threshold: number): number | null {
  if (unit !== 'percent' && unit !== 'load') return null
  const away = Math.min(threshold / 10, unit === 'percent' ? 5 : Infinity)
  const beyond = comparison === 'below' ? threshold + away : threshold - away
  return Math.round(beyond * 100) / 100
}
