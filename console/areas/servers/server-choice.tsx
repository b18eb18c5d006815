import { type ReactNode, useId } from 'react'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { classNames } from '../../ui/class-names.ts'
import type { Server } from './queries.ts'
import { ServerBadge, serverStatusLabel } from './server-status.tsx'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { AddressContent } from '../../lib/address.tsx'

export function deployObstacle({ status, reason }: Pick<Server, 'status' | 'reason'>): string | undefined {
  if (status === 'ready') return reason ?? undefined
  // The deployment waits for the setup.
  if (status === 'setting_up') return undefined
  return reason ?? `Not ready: ${serverStatusLabel(status)[1].toLowerCase()}.`
}

interface ServerChoiceProps {
  server: Server
  checked: boolean
  onChoose: () => void
  invalid: boolean
  free: ReactNode
}

export function ServerChoice({ server, checked, onChoose, invalid, free }: ServerChoiceProps) {
  const id = useId()
  const unfit = deployObstacle(server)
  return (
    <label
      className={classNames(
        'flex items-start gap-3 rounded-lg border border-line bg-raised p-4',
        'has-checked:border-accent-ink has-checked:bg-accent-soft',
        unfit === undefined ? 'hover:border-edge hover:bg-subtle' : 'bg-subtle',
      )}
    >
      <input
        type="radio"
        name="server_id"
        value={server.id}
        checked={checked}
        disabled={unfit !== undefined}
        onChange={onChoose}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-more`}
        data-invalid={invalid || undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent max-sm:size-5"
      />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <bdi id={`${id}-name`} className="wrap-anywhere">
            {server.name}
          </bdi>
          {server.status !== 'ready' && <ServerBadge status={server.status} />}
        </span>
        <span id={`${id}-more`} className="text-sm text-muted wrap-anywhere">
          <AddressContent>{unfit}</AddressContent>
          {unfit === undefined && (
            <>
              {formatMachine(server)}
              {free}
            </>
          )}
        </span>
      </span>
    </label>
  )
}

const formatMachine = ({ cpus, memory_bytes: memory, architecture }: Server) =>
  [
    architecture,
    cpus !== null && formatCount(cpus, 'CPU'),
    memory !== null && `${formatBytes(memory)} memory`,
  ]
    .filter(Boolean)
    .join(' · ')
