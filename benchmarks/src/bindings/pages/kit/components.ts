/** Number of components that show the price. */
export const components = 1000
