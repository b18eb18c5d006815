import { readScript } from '../../../platform/read-script.ts'

/** Exit codes of the scripts below; source-exit-codes.sh defines the same. */
export const exitCodes = {
  noGit: 60,
  notFetched: 61,
  diskFull: 62,
  late: 63,
  noLfs: 64,
  notCheckedOut: 65,
  noFolder: 66,
  leaves: 67,
  noDockerfile: 68,
  noRailpack: 69,
  outOfMemory: 70,
  noPlan: 71,
  metLimit: 72,
  noLimits: 73,
  noTurn: 74,
  otherSyntax: 75,
  stillBusy: 76,
} as const

/** Longer than any build may take. */
export const lockTimeoutSeconds = 7 * 3_600

/** As in build-lock-path.sh. */
export const sourcesFolder = '/var/lib/slipway/sources'

export const fetchScript = readScript('fetch-source.sh')
export const buildScript = readScript('build-image.sh')
export const composeBuildScript = readScript('build-compose-images.sh')
export const cleanScript = readScript('clean-source.sh')
