import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { importTokenQuery } from './queries.ts'
import { SetupChanges } from '../../lib/setup-changes.tsx'
import { useEffect, useState } from 'react'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { hasLoopbackUrl } from './has-loopback-url.ts'
import { AddressText } from '../../lib/address.tsx'

interface ImportCommandProps {
  /** Existing server that the command connects; without it, the command adds a new server. */
  serverId?: string
  served?: boolean
  /** Collapses the list of changes that setup makes. */
  folded?: boolean
}

export function ImportCommand({ serverId, served = false, folded = false }: ImportCommandProps) {
  const { data: made, error, isFetching, refetch } = useQuery(importTokenQuery(serverId))
  const left = useMinutesLeft(made?.expires_at)
  if (error && !made)
    return (
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <span className="text-red-ink">
          <AddressText>{error.message}</AddressText>
        </span>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  if (!made || isFetching) return <Skeleton className="h-24 w-full rounded-md!" />
  if (served)
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-muted">
        This command has been used. Generate a new one for each server.
        <Button onClick={() => void refetch()}>
          <RefreshCw aria-hidden />
          New command
        </Button>
      </div>
    )
  return (
    <div className="flex flex-col gap-1.5">
      {left > 0 && <CodeBlock label="Copy the command">{made.command}</CodeBlock>}
      {left > 0 && (
        <p className="text-sm text-muted">
          <span className="font-mono text-ink">-s set-up</span> also starts the setup. To start the setup
          later, remove this option from the command.
        </p>
      )}
      {hasLoopbackUrl(made.command) && (
        <p className="text-sm text-yellow-ink">
          Other servers cannot reach the address in this command. Set PUBLIC_URL to an address that they can
          reach, and restart Slipway.
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-muted">
        <span>
          {left > 0
            ? `Valid for ${serverId === undefined ? 'one server' : 'this server'}, expires in ${formatCount(left, 'minute')}.`
            : 'The command has expired.'}
        </span>
        <Button variant="ghost" size="small" className="max-sm:-ml-2" onClick={() => void refetch()}>
          <RefreshCw aria-hidden />
          New command{' '}
        </Button>
      </div>
      <SetupChanges serverId={serverId} folded={folded} />
    </div>
  )
}

const minute = 60_000

function useMinutesLeft(until: string | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000)
    return () => clearInterval(timer)
  }, [])
  return until === undefined ? 0 : Math.max(0, Math.round((Date.parse(until) - now) / minute))
}
