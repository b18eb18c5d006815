import { useDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useTrustHostKey } from './changes.ts'
import { HostKeyFacts } from './host-key-facts.tsx'
import type { Server } from './queries.ts'

const dialogName = 'accept-key'

/** The server shows another key than the one that was confirmed: nothing is done there until somebody says that it is right. */
export function ChangedHostKey({ server, manages }: { server: Server; manages: boolean }) {
  const { dialog, open, close } = useDialog()
  const trust = useTrustHostKey(server.id, close)
  const { name, reason, host_key: confirmed, offered_host_key: offered } = server
  if (!offered) return null
  return (
    <>
      <Notice
        tone="red"
        title={`${name} shows another host key`}
        action={manages && <Button onClick={() => open(dialogName)}>Compare and accept</Button>}
      >
        {reason}
      </Notice>
      <ConfirmDialog
        wide
        open={manages && dialog === dialogName}
        onOpenChange={close}
        title={`Accept the new host key of ${name}?`}
        action="Accept the new key"
        pending={trust.isPending && 'Connecting…'}
        onConfirm={() => trust.mutate(offered.fingerprint)}
      >
        <div className="flex flex-col gap-4">
          <p>
            A machine changes its host key when it is installed anew. If nobody did that, somebody may stand
            between Slipway and {name}, and would get every command and secret that is sent there. Accept it
            only when the fingerprint is the one that the machine itself prints.
          </p>
          <HostKeyFacts offered={offered} confirmed={confirmed} />
          {trust.isError && <p className="text-red-ink">{trust.error.message}</p>}
        </div>
      </ConfirmDialog>
    </>
  )
}
