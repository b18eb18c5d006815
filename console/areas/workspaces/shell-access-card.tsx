import { toast } from 'sonner'
import { shellAccesses } from '../../../contract/shared/permissions.ts'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { useUpdateWorkspace, useWorkspace } from './queries.ts'

const options = [
  { value: 'members', label: 'Members', help: 'Members, admins and owners.' },
  { value: 'admins', label: 'Admins only', help: 'Admins and owners.' },
]

export function ShellAccessCard() {
  const { shell_access: current } = useWorkspace()
  const update = useUpdateWorkspace()
  const change = (value: string) => {
    const shell_access = shellAccesses.find((one) => one === value)
    if (shell_access && shell_access !== current)
      update.mutate({ shell_access }, { onSuccess: () => toast.success('Shell access updated') })
  }
  return (
    <Card
      title="Shell access to containers"
      description="Who can open terminals and run commands in containers of applications. Servers and containers with host access always require an admin or owner."
    >
      <div className="max-w-md">
        <Field label="Shell access">
          <Select value={current} onValueChange={change} disabled={update.isPending} options={options} />
        </Field>
      </div>
    </Card>
  )
}
