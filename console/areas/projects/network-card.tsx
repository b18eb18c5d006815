import { toast } from 'sonner'
import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { useUpdateProject } from './mutations.ts'
import type { Project } from './queries.ts'

export function NetworkCard({ project: { id, network } }: { project: Project }) {
  const update = useUpdateProject(id)
  // Show the requested state until the response arrives.
  const wanted = (update.isPending ? update.variables.network : undefined) ?? network
  return (
    <Card
      title="Network"
      description="Applications reach other applications only at their domains and published ports."
    >
      <div className="max-w-2xl">
        <Switch
          label="Project network"
          help="Applications of this project on the same server reach each other by host name. Each joins or leaves with its next deployment."
          checked={wanted}
          onCheckedChange={(checked) =>
            update.mutate(
              { network: checked },
              { onSuccess: () => toast.success(`Project network turned ${checked ? 'on' : 'off'}`) },
            )
          }
        />
      </div>
    </Card>
  )
}
