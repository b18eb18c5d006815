interface Application {
  id: string
  slug: string
}

/** Separates resources of applications: slug and ID suffix are unique on a server. */
export const applicationProjectName = ({ id, slug }: Application) => `${slug}-${id.slice(-6)}`

export const applicationFolderPath = (application: Application) =>
  `/var/lib/slipway/applications/${applicationProjectName(application)}`
