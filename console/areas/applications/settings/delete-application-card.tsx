import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'

export function DeleteApplicationCard({ onDelete }: { onDelete: () => void }) {
  return (
    <Card
      title="Delete application"
      footer={
        <>
          You will be asked to type its name.
          <Button variant="danger" onClick={onDelete}>
            Delete application
          </Button>
        </>
      }
    >
      <p className="text-muted">
        Deletes its containers, domains, releases and deployments. Volumes are kept unless you select them.
      </p>
    </Card>
  )
}
