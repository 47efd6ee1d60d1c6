/** Later work on asset reports. */
export const assetReportJobs = {}
