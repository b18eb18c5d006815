import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { paths } from '../../paths.ts'

export function useLeaveDeletedServer() {
  const navigate = useNavigate()
  return () => {
    toast.success('Server deleted')
    void navigate(paths.servers, { replace: true })
  }
}
