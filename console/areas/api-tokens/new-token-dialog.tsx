import { useState } from 'react'
import { useDialog } from '../../lib/use-dialog.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { NewTokenForm } from './new-token-form.tsx'
import { TokenOnce } from './token-once.tsx'

/** Open while the address says `?dialog=new-token`. */
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
      description={made ? 'Copy it now. It is not shown again.' : undefined}
    >
      {made ? <TokenOnce token={made.token} /> : <NewTokenForm onDone={setMade} />}
    </Dialog>
  )
}
