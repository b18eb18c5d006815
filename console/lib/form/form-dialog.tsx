import type { ReactNode } from 'react'
import { useForm } from './use-form.ts'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'

type Fields = Readonly<Record<string, 'required' | 'optional'>>

interface FormDialogProps<F extends Fields> {
  title: string
  description: string
  fields: F
  action: string
  pending?: string
  save: (values: Record<keyof F & string, string>) => Promise<unknown>
  wide?: boolean
  onClose: () => void
  children: (errors: Record<string, string>) => ReactNode
}

export function FormDialog<const F extends Fields>(props: FormDialogProps<F>) {
  const {
    title,
    description,
    fields,
    action,
    pending: step = 'Saving…',
    save,
    wide,
    onClose,
    children,
  } = props
  const { form, errors, pending } = useForm(fields, async (values) => {
    await save(values)
    onClose()
  })
  return (
    <Dialog open holds {...(wide && { wide })} onOpenChange={onClose} title={title} description={description}>
      <form {...form} className="flex flex-col gap-4">
        {children(errors)}
        <DialogFooter pending={pending && step}>{action}</DialogFooter>
      </form>
    </Dialog>
  )
}
