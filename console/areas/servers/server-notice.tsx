import { useMatch } from 'react-router'
import { paths, serverPath } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useConnectServer } from './changes.ts'
import { ChangedHostKey } from './changed-host-key.tsx'
import { troubleOf } from './cloud-words.ts'
import { CreationFailed } from './creation-failed.tsx'
import { isUnmade } from './creation-words.ts'
import { DeletingNotice } from './deleting-notice.tsx'
import type { Server } from './queries.ts'
import { SetUp } from './set-up.tsx'

interface ServerNoticeProps {
  server: Server
  manages: boolean
}

/** Why something is not as it should be with a server, and what helps. Nothing while all is well. */
export function ServerNotice({ server, manages }: ServerNoticeProps) {
  const { id, name, status, reason } = server
  const overview = useMatch(`${paths.servers}/:id`) !== null
  if (status === 'deleting') return <DeletingNotice server={server} manages={manages} />
  if (status === 'unreachable' && server.offered_host_key)
    return <ChangedHostKey server={server} manages={manages} />
  // Why it does not answer is said by what is told of its cloud.
  if (status === 'unreachable' && troubleOf(server) !== undefined) return null
  if (status === 'unreachable') return <Unreachable server={server} manages={manages} />
  if (isUnmade(server)) return <CreationFailed server={server} manages={manages} />
  if (status === 'failed')
    return (
      <Notice
        tone="red"
        title={`${name} could not be set up`}
        action={manages && <SetUp id={id}>Set up again</SetUp>}
      >
        {reason}
      </Notice>
    )
  if (status === 'ready' && reason !== null)
    return (
      <Notice
        tone="yellow"
        title={`${name} needs attention`}
        action={manages && <SetUp id={id}>Set up again</SetUp>}
      >
        {reason}
      </Notice>
    )
  if (status === 'provisioning' && !overview)
    return (
      <Notice
        tone="yellow"
        title={`${name} is being created`}
        action={<ButtonLink to={serverPath(id)}>See how far it is</ButtonLink>}
      >
        {reason ?? 'There is nothing to see here until it is set up.'}
      </Notice>
    )
  // The overview itself leads through the steps that are left.
  if (status === 'pending' && !(overview && manages))
    return (
      <Notice
        tone="yellow"
        title={`${name} is not connected yet`}
        action={manages && <ButtonLink to={serverPath(id)}>Go on</ButtonLink>}
      >
        {reason}
      </Notice>
    )
  return null
}

function Unreachable({ server: { id, name, reason }, manages }: ServerNoticeProps) {
  const connect = useConnectServer(id)
  return (
    <Notice
      tone="red"
      title={`${name} cannot be reached`}
      action={
        manages && (
          <Button pending={connect.isPending && 'Connecting…'} onClick={() => connect.mutate()}>
            Try now
          </Button>
        )
      }
    >
      {connect.error?.message ?? reason} Slipway keeps trying.
    </Notice>
  )
}
