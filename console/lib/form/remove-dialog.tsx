import type { ReactNode } from 'react'
import { ActionDialog } from './action-dialog.tsx'

interface RemoveDialogProps {
  id: string
  /** Name as part of the question, such as “port 80”. */
  name: string
  done?: string
  action: string
  remove: { isPending: boolean; mutateAsync: (id: string) => Promise<unknown> }
  onClose: () => void
  children: ReactNode
}

export const RemoveDialog = ({ id, name, done = `${name} removed`, remove, ...rest }: RemoveDialogProps) => (
  <ActionDialog
    {...rest}
    title={`Remove ${name}?`}
    mutation={remove}
    input={id}
    pending="Removing…"
    done={done}
  />
)
