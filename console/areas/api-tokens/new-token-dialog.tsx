import { useState } from 'react'
import { useDialog } from '../../lib/use-dialog.ts'
import { Dialog, DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { NewTokenForm } from './new-token-form.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'

/** Open while the URL has `?dialog=new-token`. */
export function NewTokenDialog() {
  const { dialog, close } = useDialog()
  return dialog === 'new-token' ? <Opened onClose={close} /> : null
}

function Opened({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<{ name: string; token: string }>()
  return (
    <Dialog
      open
      holds
      wide={made !== undefined}
      onOpenChange={onClose}
      title={made ? `${made.name} is ready` : 'New API token'}
      description={made ? 'Copy the token now. It is shown only once.' : undefined}
    >
      {made ? <TokenOnce token={made.token} /> : <NewTokenForm onDone={setMade} />}
    </Dialog>
  )
}

function TokenOnce({ token }: { token: string }) {
  return (
    <>
      <CodeBlock label="Copy the token">{token}</CodeBlock>
      <div className="flex flex-col gap-1.5">
        <p className="text-sm font-medium">Try it out</p>
        <CodeBlock label="Copy the command">
          {`curl -H "Authorization: Bearer ${token}" ${window.location.origin}/v1/user`}
        </CodeBlock>
      </div>
      <DialogActions>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogActions>
    </>
  )
}
