import { Sparkles } from 'lucide-react'
import { toast } from 'sonner'
import { Button } from '../../ui/button.tsx'
import { type Generated, useSaveDomain } from './queries.ts'

interface AddGeneratedProps {
  applicationId: string
  generated: Generated
}

/** The address that works without anything set at a DNS, for who took it away or never had it. */
export function AddGenerated({ applicationId, generated }: AddGeneratedProps) {
  const save = useSaveDomain(applicationId)
  const { host } = generated
  const added = () => toast.success(`${host} added.`)
  return (
    <Button
      title={host}
      pending={save.isPending && 'Adding…'}
      onClick={() => save.mutate({ domainId: undefined, ...generated }, { onSuccess: added })}
    >
      <Sparkles aria-hidden />
      Add a generated address
    </Button>
  )
}
