import { type ReactNode, Suspense, useEffect } from 'react'
import { BrowserRouter, Navigate, Route, Routes, matchPath } from 'react-router'
import { eagerPage, type LazyPage, lazyPage } from './lib/lazy-page.tsx'
import { prefetchLinks } from './lib/prefetch-links.ts'
import { useTitle } from './lib/use-title.ts'
import { isDashboard } from './lib/return-url.ts'
import { whenIdle } from './lib/when-idle.ts'
import { CrashBoundary } from './pages/crash.tsx'
import { NewAccountProvider } from './areas/auth/new-account.tsx'
import { LoginPage } from './pages/auth/login.tsx'
import { paths } from './paths.ts'
import { Guard, SessionEnd } from './shell/route-guard.tsx'
import { LazyToaster } from './shell/lazy-toaster.tsx'
import { NavigationListener } from './lib/navigate.tsx'
import { Skeleton } from './ui/skeleton.tsx'

interface PageRoute {
  path: string
  /** Title of the browser tab; without it, the page sets the title itself. */
  title?: string
  page: LazyPage
}

const open: PageRoute[] = [
  { path: paths.login, title: 'Log in', page: eagerPage(LoginPage) },
  {
    path: paths.signup,
    title: 'Sign up',
    page: lazyPage(async () => (await import('./pages/auth/signup.tsx')).SignupPage),
  },
  {
    path: paths.loginSuccess,
    title: 'Logging in',
    page: lazyPage(async () => (await import('./pages/auth/login-success.tsx')).LoginSuccessPage),
  },
  {
    path: paths.join,
    title: 'Join workspace',
    page: lazyPage(async () => (await import('./pages/auth/join.tsx')).JoinPage),
  },
  {
    path: paths.verify,
    title: 'Confirm email',
    page: lazyPage(async () => (await import('./pages/auth/verify.tsx')).VerifyPage),
  },
  {
    path: paths.forgotPassword,
    title: 'Forgot password',
    page: lazyPage(async () => (await import('./pages/auth/forgot-password.tsx')).ForgotPasswordPage),
  },
]

const dashboard: PageRoute[] = [
  {
    path: paths.home,
    title: 'Home',
    page: lazyPage(async () => (await import('./pages/home.tsx')).HomePage),
  },
  {
    path: paths.projects,
    title: 'Projects',
    page: lazyPage(async () => (await import('./pages/projects/projects.tsx')).ProjectsPage),
  },
  {
    path: `${paths.projects}/:id/*`,
    page: lazyPage(async () => (await import('./pages/projects/project.tsx')).ProjectPage),
  },
  {
    path: paths.servers,
    title: 'Servers',
    page: lazyPage(async () => (await import('./pages/servers/servers.tsx')).ServersPage),
  },
  {
    path: paths.createServer,
    title: 'Create server',
    page: lazyPage(async () => (await import('./pages/servers/create-server.tsx')).CreateServerPage),
  },
  {
    path: `${paths.servers}/:id/containers/:cid/*`,
    page: lazyPage(async () => (await import('./pages/servers/container.tsx')).ContainerPage),
  },
  {
    path: `${paths.servers}/:id/*`,
    page: lazyPage(async () => (await import('./pages/servers/server.tsx')).ServerPage),
  },
  {
    path: paths.importServers,
    title: 'Import server',
    page: lazyPage(async () => (await import('./pages/servers/import-servers.tsx')).ImportServersPage),
  },
  {
    path: paths.applications,
    title: 'Applications',
    page: lazyPage(async () => (await import('./pages/applications/applications.tsx')).ApplicationsPage),
  },
  {
    path: paths.createApplication,
    title: 'New application',
    page: lazyPage(
      async () => (await import('./pages/applications/create-application.tsx')).CreateApplicationPage,
    ),
  },
  {
    path: `${paths.applications}/:id/*`,
    page: lazyPage(async () => (await import('./pages/applications/application.tsx')).ApplicationPage),
  },
  {
    path: paths.templates,
    title: 'Templates',
    page: lazyPage(async () => (await import('./pages/templates/templates.tsx')).TemplatesPage),
  },
  {
    path: `${paths.templates}/new`,
    title: 'New template',
    page: lazyPage(async () => (await import('./pages/templates/template-editor.tsx')).NewTemplatePage),
  },
  {
    path: `${paths.templates}/:id`,
    page: lazyPage(async () => (await import('./pages/templates/template.tsx')).TemplatePage),
  },
  {
    path: `${paths.templates}/:id/edit`,
    page: lazyPage(async () => (await import('./pages/templates/template-editor.tsx')).EditTemplatePage),
  },
  {
    path: `${paths.notifications}/*`,
    page: lazyPage(async () => (await import('./pages/notifications/notifications.tsx')).NotificationsPage),
  },
  {
    path: `${paths.integrations}/:provider/callback`,
    title: 'Redirecting',
    page: lazyPage(
      async () => (await import('./pages/integrations/integration-callback.tsx')).IntegrationCallbackPage,
    ),
  },
  {
    path: `${paths.integrations}/github/app`,
    title: 'Redirecting',
    page: lazyPage(async () => (await import('./pages/integrations/integration-callback.tsx')).GitHubAppPage),
  },
  {
    path: `${paths.integrations}/*`,
    title: 'Integrations',
    page: lazyPage(async () => (await import('./pages/integrations/integrations.tsx')).IntegrationsPage),
  },
  {
    path: `${paths.workspace}/*`,
    title: 'Workspace',
    page: lazyPage(async () => (await import('./pages/workspace.tsx')).WorkspacePage),
  },
  {
    path: paths.billing,
    title: 'Billing',
    page: lazyPage(async () => (await import('./pages/billing/billing.tsx')).BillingPage),
  },
  {
    path: paths.choosePlan,
    title: 'Choose a plan',
    page: lazyPage(async () => (await import('./pages/billing/choose-plan.tsx')).ChoosePlanPage),
  },
  {
    path: paths.billingSuccess,
    title: 'Subscription',
    page: lazyPage(async () => (await import('./pages/billing/billing-success.tsx')).BillingSuccessPage),
  },
  {
    path: `${paths.settings}/*`,
    title: 'Settings',
    page: lazyPage(async () => (await import('./pages/settings.tsx')).SettingsPage),
  },
  {
    path: `${paths.instance}/*`,
    title: 'Instance',
    page: lazyPage(async () => (await import('./pages/instance/instance.tsx')).InstancePage),
  },
]

const Shell = lazyPage(async () => (await import('./shell/shell.tsx')).Shell)
const NotFound = lazyPage(async () => (await import('./pages/page-fallback.tsx')).NotFoundPage)
const Unknown = lazyPage(async () => (await import('./pages/page-fallback.tsx')).UnknownPage)

export function Router() {
  return (
    // A transition would make a new page wait for all other pending updates.
    <BrowserRouter useTransitions={false}>
      <CrashBoundary>
        <SessionEnd />
        <NavigationListener />
        <LazyToaster />
        <NewAccountProvider>
          <Suspense>
            <Routes>
              <Route path="/" element={<Navigate to={paths.login} replace />} />
              {open.map((route) => toRoute(route))}
              <Route
                path={paths.home}
                element={
                  <Guard>
                    <Preloading>
                      <Shell />
                    </Preloading>
                  </Guard>
                }
              >
                {dashboard.map((route) => toRoute(route, <PageSkeleton />))}
                <Route path="*" element={<Titled title="Not found" page={NotFound} />} />
              </Route>
              <Route path="*" element={<Titled title="Not found" page={Unknown} />} />
            </Routes>
          </Suspense>
        </NewAccountProvider>
      </CrashBoundary>
    </BrowserRouter>
  )
}

export function preload(pathname: string) {
  if (isDashboard(pathname)) void Shell.preload()
  const route = [...open, ...dashboard].find(({ path }) => matchPath(path, pathname))
  void (route?.page ?? NotFound).preload()
}

prefetchLinks(preload)

function Preloading({ children }: { children: ReactNode }) {
  useEffect(() => whenIdle(() => dashboard.forEach(({ page }) => void page.preload())), [])
  return children
}

function toRoute({ path, title, page: Page }: PageRoute, waiting?: ReactNode) {
  const element =
    title === undefined ? (
      <Page key={path} waiting={waiting} />
    ) : (
      <Titled key={path} title={title} page={Page} waiting={waiting} />
    )
  return <Route key={path} path={path} element={element} />
}

function Titled({ title, page: Page, waiting }: { title: string; page: LazyPage; waiting?: ReactNode }) {
  useTitle(title)
  return <Page waiting={waiting} />
}

function PageSkeleton() {
  return <Skeleton className="h-7 w-48" />
}
