import { serverPath } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface LastSeenProps {
  serverId: string
  name: string

  removed: boolean
  /** Why the current state is unknown, unless the container was removed. */
  why: string
  onRetry: () => void
}

/** Shown above a container that was removed or is unreachable. */
export function LastKnownNotice({ serverId, name, removed, why: reason, onRetry }: LastSeenProps) {
  if (removed)
    return (
      <Notice
        tone="neutral"
        title={`${name} was removed`}
        action={<ButtonLink to={serverPath(serverId, 'containers')}>All containers</ButtonLink>}
      >
        Showing the last known state.
      </Notice>
    )
  return (
    <Notice
      tone="yellow"
      title={`Status of ${name} is unknown`}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {reason || 'Slipway did not respond.'} Showing the last known state.
    </Notice>
  )
}
