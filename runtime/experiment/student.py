"""Student's t distribution (W. S. Gosset, Biometrika 6, 1908, 1-25), for the interval of a mean of few numbers.

The distribution is computed from the regularized incomplete beta function, by Lentz's continued fraction (W. H. Press
and others, Numerical Recipes, 3rd edition 2007, section 6.4); a quantile by bisection.
"""

import math

# Steps of the continued fraction, its tolerance, and halvings of a quantile's bracket.
TERMS, CLOSE, HALVINGS = 400, 1e-15, 200
TINY = 1e-300


def beta_fraction(a: float, b: float, x: float) -> float:
    """Compute the continued fraction of the incomplete beta function."""
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > TINY else TINY)
    found = d
    for m in range(1, TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for part in (even, odd):
            d = 1 + part * d
            c = 1 + part / c
            d = 1 / (d if abs(d) > TINY else TINY)
            c = c if abs(c) > TINY else TINY
            step = c * d
            found *= step
        if abs(step - 1) < CLOSE:
            break
    return found


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Compute the regularized incomplete beta function, for x in 0..1."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a
    return 1 - front * beta_fraction(b, a, 1 - x) / b


def tail_probability(t: float, freedom: int) -> float:
    """Compute the probability that |T| exceeds t."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def two_sided(error: float, freedom: int) -> float:
    """Compute the two-sided critical value of |T| for this error and so many degrees of freedom."""
    low, high = 0.0, 1.0
    while tail_probability(high, freedom) > error:
        low, high = high, high * 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if tail_probability(middle, freedom) > error else (low, middle)
    return high
