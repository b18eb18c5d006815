import { FolderClosed, Plus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { NewProjectDialog } from '../../areas/projects/new-project-dialog.tsx'
import { ProjectCard } from '../../areas/projects/project-card.tsx'
import { type Project, projectsQuery } from '../../areas/projects/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { projectPath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ListPage } from '../list-page.tsx'

const dialogName = 'new'

export function ProjectsPage() {
  const manages = roleAllows(useWorkspace().role, 'projects.manage')
  const { dialog, open, close } = useDialog()
  const navigate = useNavigate()
  const action = manages && (
    <Button variant="primary" onClick={() => open(dialogName)}>
      <Plus aria-hidden />
      New project
    </Button>
  )
  return (
    <>
      <ListPage
        title="Projects"
        things="projects"
        icon={FolderClosed}
        action={action}
        empty={{
          title: 'No projects yet',
          text: 'Projects group related applications and servers and share variables.',
          action: manages ? action : 'Ask a workspace member to create one.',
        }}
        layout={layout}
        query={projectsQuery}
      />
      {manages && dialog === dialogName && (
        <NewProjectDialog
          onMade={(id) => void navigate(projectPath(id), { replace: true })}
          onClose={close}
        />
      )}
    </>
  )
}

const layout = { card: (project: Project) => <ProjectCard key={project.id} project={project} /> }
