import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { SaveButtons } from '../../../lib/form/save-buttons.tsx'
import { useDraft } from '../../../lib/form/use-draft.ts'
import { useForm } from '../../../lib/form/use-form.ts'
import { Card } from '../../../ui/card.tsx'
import { type ApplicationChange, useUpdateApplication } from '../queries.ts'

type Fields = Readonly<Record<string, 'required' | 'optional'>>
type Typed<F extends Fields> = Record<keyof F & string, string>

interface Part<F extends Fields> {
  typed: Typed<F>
  errors: Record<string, string>
  /** For controls that do not fire input events. */
  onChoose: (field: string, value: string) => void
}

interface SettingsCardProps<F extends Fields> {
  applicationId: string
  title: string
  description?: ReactNode
  fields: F
  /** Saved values as form fields. */
  saved: Typed<F>
  read: (values: Typed<F>) => ApplicationChange
  /** Shown for settings that apply without a deployment. */
  atOnce?: string
  children: (part: Part<F>) => ReactNode
}

export function SettingsCard<const F extends Fields>(props: SettingsCardProps<F>) {
  const { applicationId, title, description, fields, saved, read, atOnce, children } = props
  const update = useUpdateApplication(applicationId)
  const draft = useDraft(`${title} of ${applicationId}`, saved)
  const { form, errors, pending } = useForm(fields, async (values) => {
    await update.mutateAsync(read(values))
    draft.drop()
    toast.success(atOnce ? `${title} saved` : `${title} saved. Redeploy to apply.`)
  })
  return (
    <form {...form} key={draft.round} onInput={draft.onInput} onReset={draft.onReset}>
      <Card
        title={title}
        description={description}
        footer={
          <>
            {atOnce ?? 'Applies with the next deployment.'}
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        {children({ typed: draft.typed, errors, onChoose: draft.put })}
      </Card>
    </form>
  )
}
