import { serverPath } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface LastSeenProps {
  serverId: string
  name: string
  /** Docker does not have it any more. */
  removed: boolean
  /** Otherwise, why it cannot be shown as it is now. */
  why: string
  onRetry: () => void
}

/** Above a container that was here before, and is gone or cannot be asked for now. */
export function LastSeen({ serverId, name, removed, why, onRetry }: LastSeenProps) {
  if (removed)
    return (
      <Notice
        tone="neutral"
        title={`${name} was removed`}
        action={<ButtonLink to={serverPath(serverId, 'containers')}>All containers</ButtonLink>}
      >
        What stands here is as it was seen last.
      </Notice>
    )
  return (
    <Notice
      tone="yellow"
      title={`How ${name} is now cannot be told`}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {why || 'Slipway did not answer.'} What stands here is as it was seen last.
    </Notice>
  )
}
