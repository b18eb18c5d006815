import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { Card } from '../../ui/card.tsx'
import { SaveButtons, useDraft } from './use-draft.tsx'
import { useForm } from './use-form.ts'

type Fields = Readonly<Record<string, 'required' | 'optional'>>
type Texts = Readonly<Record<string, string>>

export interface FormCardPart<Saved extends Texts> {
  typed: Saved
  errors: Record<string, string>
  /** For controls that do not fire input events. */
  onChoose: (field: string, value: string) => void
  onInput: (event: { target: EventTarget }) => void
}

interface FormCardProps<F extends Fields, Saved extends Texts> {
  title: string
  description?: ReactNode
  /** Shown beside the buttons, such as when changes apply. */
  note?: ReactNode
  fields: F
  saved: Saved
  /** Returns the toast. */
  save: (values: Record<keyof F & string, string>) => Promise<string>
  readOnly?: boolean
  children: (part: FormCardPart<Saved>) => ReactNode
}

export function FormCard<const F extends Fields, const Saved extends Texts>(props: FormCardProps<F, Saved>) {
  const { title, description, note, fields, saved, save, readOnly = false, children } = props
  const draft = useDraft(saved)
  const { form, errors, pending } = useForm(fields, async (values) => {
    const done = await save(values)
    draft.drop()
    toast.success(done)
  })
  return (
    <form {...form} key={draft.round} onInput={draft.onInput} onReset={draft.onReset}>
      <Card
        title={title}
        description={description}
        footer={
          !readOnly && (
            <>
              {note}
              <SaveButtons draft={draft} pending={pending} />
            </>
          )
        }
      >
        {children({ typed: draft.typed, errors, onChoose: draft.put, onInput: draft.onInput })}
      </Card>
    </form>
  )
}
