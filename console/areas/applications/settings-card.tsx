import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { useForm } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type ApplicationChange, useUpdateApplication } from './changes.ts'

interface SettingsCardProps<F extends Record<string, 'required' | 'optional'>> {
  applicationId: string
  title: string
  description?: ReactNode
  fields: F
  read: (values: Record<keyof F & string, string>) => ApplicationChange
  /** What takes effect without a deployment says so. */
  atOnce?: string
  children: (errors: Record<string, string>) => ReactNode
}

/** Some of the settings of an application, which are saved together. */
export function SettingsCard<const F extends Record<string, 'required' | 'optional'>>(
  props: SettingsCardProps<F>,
) {
  const { applicationId, title, description, fields, read, atOnce, children } = props
  const update = useUpdateApplication(applicationId)
  const { form, errors, pending } = useForm(fields, async (values) => {
    await update.mutateAsync(read(values))
    toast.success(atOnce ? `${title} saved.` : `${title} saved. Deploy to use it.`)
  })
  return (
    <form {...form}>
      <Card
        title={title}
        description={description}
        footer={
          <>
            {atOnce ?? 'Takes effect with the next deployment.'}
            <Button type="submit" variant="primary" pending={pending && 'Saving…'}>
              Save
            </Button>
          </>
        }
      >
        {children(errors)}
      </Card>
    </form>
  )
}
