import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { useSavedForm } from './save-bar.tsx'

type Fields = Readonly<Record<string, 'required' | 'optional'>>
type Texts = Readonly<Record<string, string>>

export interface FormCardPart<Saved extends Texts> {
  typed: Saved
  errors: Record<string, string>
  /** Stores the value of a control that fires no input events. */
  onChoose: (field: string, value: string) => void
  onInput: (event: { target: EventTarget }) => void
}

interface FormCardProps<F extends Fields, Saved extends Texts> {
  title: string
  description?: ReactNode
  action?: ReactNode
  /** Text that tells when the changes apply, shown before they are saved. */
  applies?: string | undefined
  fields: F
  saved: Saved
  /** Saves the values. Returns what the user must do next, if anything. */
  save: (values: Record<keyof F & string, string>) => Promise<string | undefined>
  children: (part: FormCardPart<Saved>) => ReactNode
}

export function FormCard<const F extends Fields, const Saved extends Texts>(props: FormCardProps<F, Saved>) {
  const { title, description, action, applies, fields, saved, save, children } = props
  const { round, form, ...part } = useSavedForm({ fields, saved, save, applies })
  return (
    <form {...form} key={round}>
      <Card title={title} description={description} action={action}>
        {children(part)}
      </Card>
      {/* The hidden button lets Enter save, also in forms with several fields. */}
      <button type="submit" hidden>
        Save
      </button>
    </form>
  )
}
