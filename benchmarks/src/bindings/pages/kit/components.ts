/** How many components show the price. */
export const components = 1000
