# Sources with matrices of Eigen, whose templates are then instantiated once.
noslip_piece(model matrices ONCE basis_values chart_values conditioning continuous index_two_evaluator index_two_values
             mechanical_evaluator momentum_values nearest nonideal_values odae_evaluator regularity rounding_bounds
             scaled_solution skew_gradient_evaluator sparse_cholesky sparse_conditioning)
# What reads every row of a file.
noslip_piece(model text OFTEN csv_line)
