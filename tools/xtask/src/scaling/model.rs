//! A model of what simulation costs, fitted to runs.

use super::simulation::Run;

/// Seconds of processors = a n^p, bytes = b + c n for n nodes.
#[derive(Debug)]
pub struct CostModel {
    /// a
    pub factor: f64,
    /// p
    pub exponent: f64,
    /// b
    pub bytes: f64,
    /// c
    pub bytes_per_node: f64,
}

impl CostModel {
    /// The model of these runs by least squares: of logarithms for the time. Runs of different numbers of
    /// nodes, at least two.
    pub fn of(runs: &[Run]) -> Self {
        let nodes = |run: &Run| f64::from(run.nodes);
        let times = runs.iter().map(|run| (nodes(run).ln(), run.seconds.ln()));
        let (logarithm, exponent) = line(&times.collect::<Vec<_>>());
        let memories = runs.iter().map(|run| (nodes(run), run.memory));
        let (bytes, bytes_per_node) = line(&memories.collect::<Vec<_>>());
        Self {
            factor: logarithm.exp(),
            exponent,
            bytes,
            bytes_per_node,
        }
    }

    /// Seconds of processors on that many nodes.
    pub fn seconds(&self, nodes: f64) -> f64 {
        self.factor * nodes.powf(self.exponent)
    }

    /// Bytes of memory on that many nodes.
    pub fn memory(&self, nodes: f64) -> f64 {
        self.bytes + self.bytes_per_node * nodes
    }
}

/// The line y = a + b x of least squares: a and b.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let products = points.iter().map(|point| (point.0 - x) * (point.1 - y));
    let squares = points.iter().map(|point| (point.0 - x).powi(2));
    let slope = products.sum::<f64>() / squares.sum::<f64>();
    (y - slope * x, slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scaling::simulation::Parts;

    #[test]
    fn the_model_of_its_own_values_is_the_same() {
        let runs: Vec<Run> = [16, 64, 256]
            .into_iter()
            .map(|nodes| Run {
                nodes,
                time: 1.0,
                parts: Parts::default(),
                wall_seconds: 1.0,
                seconds: 0.25 * f64::from(nodes).powf(1.5),
                memory: 1e6 + 3e3 * f64::from(nodes),
            })
            .collect();
        let model = CostModel::of(&runs);
        assert!((model.exponent - 1.5).abs() < 1e-9, "{model:?}");
        assert!(
            (model.seconds(1e4) / 0.25e6 - 1.0).abs() < 1e-9,
            "{model:?}"
        );
        assert!((model.memory(1e4) / 31e6 - 1.0).abs() < 1e-9, "{model:?}");
    }
}
