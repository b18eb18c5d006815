import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'

/** Where one begins to delete an application; the question is that of its page. */
export function DeleteApplicationCard({ onDelete }: { onDelete: () => void }) {
  return (
    <Card
      title="Delete the application"
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
        Its containers are stopped and removed, and its addresses, releases and deployments are gone. Its
        volumes stay on the server, unless you choose otherwise.
      </p>
    </Card>
  )
}
