import type { BuildConfig } from '../../../tables.ts'
import type { ServerRow } from '../../servers/server.ts'

const mebibyte = 1024 ** 2
/** Share that stays available to running applications. */
const reservedMemory = 512 * mebibyte
const share = 0.75

export interface BuildLimits {
  /** Bytes. */
  memory: number
  cpus: number
  processes: number
  minutes: number
}

type Size = Pick<ServerRow, 'memory_bytes' | 'cpus'>
type BuildLimitSettings = Pick<BuildConfig, 'build_memory' | 'build_cpus' | 'build_minutes'>

/** Caps configured limits at the size of the server; the default leaves room for running applications. */
export const buildLimits = ({ memory_bytes, cpus }: Size, build: BuildLimitSettings): BuildLimits => ({
  memory: Math.min(
    build.build_memory ?? memoryFor(memory_bytes ?? 2 * reservedMemory),
    memory_bytes === null ? Infinity : maxBuildMemory(memory_bytes),
  ),
  cpus: Math.min(build.build_cpus ?? Math.max(1, (cpus ?? 1) * share), cpus ?? Infinity),
  processes: 4096,
  minutes: build.build_minutes,
})

/** Upper limit for any setting. */
export const maxBuildMemory = (total: number) => Math.max(reservedMemory, total - reservedMemory)

const memoryFor = (total: number) =>
  Math.floor(Math.max(reservedMemory, Math.min(total * share, total - reservedMemory)) / mebibyte) * mebibyte
